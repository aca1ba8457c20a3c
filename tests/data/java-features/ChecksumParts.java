import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** Checksums and buffers of the library, called for every block. */
public class ChecksumParts extends Kernel {
  int n; byte[] data; ByteBuffer buffer;
  public void setup(int n) {
    this.n = n; data = new byte[n]; buffer = ByteBuffer.wrap(data);
    for (int i = 0; i < n; i++) data[i] = (byte) (i * 31);
  }
  public double run() {
    CRC32 crc = new CRC32();
    long s = 0;
    for (int i = 0; i + 64 <= n; i += 64) {
      crc.update(data, i, 64);
      s += buffer.getInt(i) ^ buffer.getLong(i + 8);
      s += Long.rotateLeft(s, 7) + Math.floorMod(s, 1009L);
    }
    return s ^ crc.getValue();
  }
}
