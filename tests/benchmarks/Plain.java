/** One run of a kernel, as a program: its class and its size. */
public class Plain {
  public static void main(String[] a) throws Exception {
    Kernel kernel = (Kernel) Class.forName(a[0]).getDeclaredConstructor().newInstance();
    kernel.setup(Integer.parseInt(a[1]));
    System.out.println(kernel.run());
  }
}
