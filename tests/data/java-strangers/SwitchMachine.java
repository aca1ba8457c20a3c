public class SwitchMachine extends Kernel {
  enum Op { PUSH, ADD, MUL, DUP, POP, JUMP }
  Op[] code; int[] arg; int n;
  public void setup(int n) { this.n = n; code = new Op[64]; arg = rnd(64, 50, 5); int[] k = rnd(64, 5, 6); for (int i = 0; i < 64; i++) code[i] = i % 3 == 0 ? Op.PUSH : Op.values()[k[i]]; }
  public double run() {
    long[] stack = new long[256]; int top = 0; long sum = 0;
    for (int step = 0; step < n; step++) {
      int pc = step & 63;
      top = switch (code[pc]) {
        case PUSH -> { stack[top & 255] = arg[pc]; yield top + 1; }
        case ADD -> { if (top > 1) { stack[top - 2 & 255] += stack[top - 1 & 255]; yield top - 1; } yield top; }
        case MUL -> { if (top > 1) { stack[top - 2 & 255] *= 3; yield top - 1; } yield top; }
        case DUP -> top > 0 && top < 200 ? dup(stack, top) : top;
        case POP -> Math.max(0, top - 1);
        case JUMP -> top;
      };
      sum += top;
    }
    return sum;
  }
  private static int dup(long[] s, int top) { s[top & 255] = s[top - 1 & 255]; return top + 1; }
}
