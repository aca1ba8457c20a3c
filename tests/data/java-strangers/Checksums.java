import java.util.zip.*;
public class Checksums extends Kernel {
  byte[] b; public void setup(int n) { b = new byte[n]; new java.util.Random(1).nextBytes(b); }
  public double run() { CRC32 c = new CRC32(); c.update(b); Adler32 a = new Adler32(); a.update(b, 0, b.length); return c.getValue() ^ a.getValue(); }
}
