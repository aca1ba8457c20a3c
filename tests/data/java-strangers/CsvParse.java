import java.util.*;
public class CsvParse extends Kernel {
  String csv; public void setup(int n) { StringBuilder b = new StringBuilder(); for (int i = 0; i < n; i++) b.append(i).append(",name").append(i % 17).append(',').append(i * .5).append('\n'); csv = b.toString(); }
  public double run() { double s = 0; for (String line : csv.split("\n")) { String[] f = line.split(","); try { s += Integer.parseInt(f[0]) + Double.parseDouble(f[2].trim()); } catch (NumberFormatException e) { s -= 1; } if (f[1].startsWith("name1") && f[1].endsWith("6")) s++; } return s; }
}
