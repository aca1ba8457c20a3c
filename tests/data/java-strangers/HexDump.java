public class HexDump extends Kernel {
  byte[] b; public void setup(int n) { b = new byte[n]; new java.util.Random(1).nextBytes(b); }
  public double run() { StringBuilder s = new StringBuilder(b.length * 3); for (int i = 0; i < b.length; i++) { s.append(Character.forDigit(b[i] >> 4 & 15, 16)).append(Character.forDigit(b[i] & 15, 16)); if ((i & 15) == 15) s.append(System.lineSeparator()); else s.append(' '); } return s.indexOf("ff") + s.length(); }
}
