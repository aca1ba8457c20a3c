public class StateMachines extends Kernel {
  enum State { START { State next(char c) { return c == '<' ? TAG : TEXT; } }, TEXT { State next(char c) { return c == '<' ? TAG : TEXT; } }, TAG { State next(char c) { return c == '>' ? START : c == '"' ? QUOTE : TAG; } }, QUOTE { State next(char c) { return c == '"' ? TAG : QUOTE; } }; abstract State next(char c); }
  char[] text; public void setup(int n) { text = new char[n]; int[] r = rnd(n, 8, 1); for (int i = 0; i < n; i++) text[i] = "<>\"abcde".charAt(r[i]); }
  public double run() { State s = State.START; int[] seen = new int[State.values().length]; for (char c : text) { s = s.next(c); seen[s.ordinal()]++; } return seen[0] - seen[3]; }
}
