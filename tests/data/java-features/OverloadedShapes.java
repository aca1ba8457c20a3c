/** Overloads by the static type of an object, not by its class. */
public class OverloadedShapes extends Kernel {
  static class Node { int v; Node(int v) { this.v = v; } }
  static class Leaf extends Node { Leaf(int v) { super(v); } }
  static long cost(Object o) { return 1; }
  static long cost(Node o) { return o.v; }
  static long cost(Leaf o) { long s = 0; for (int i = 0; i < 8; i++) s += o.v ^ i; return s; }
  int n; Leaf[] leaves; Node[] nodes;
  public void setup(int n) {
    this.n = n; leaves = new Leaf[n]; nodes = new Node[n];
    for (int i = 0; i < n; i++) { leaves[i] = new Leaf(i); nodes[i] = leaves[i]; }
  }
  public double run() {
    long s = 0;
    for (int i = 0; i < n; i++) { s += cost(leaves[i]); s += cost(nodes[i]); s += cost((Object) leaves[i]); }
    return s;
  }
}
