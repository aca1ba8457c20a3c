import java.util.*;
public class DijkstraQueue extends Kernel {
  static class Edge { int to; double w; Edge(int t, double w) { to = t; this.w = w; } }
  List<Edge>[] g; int n;
  @SuppressWarnings("unchecked")
  public void setup(int n) { this.n = n; g = new List[n]; Random r = new Random(7); for (int i = 0; i < n; i++) { g[i] = new LinkedList<>(); for (int k = 0; k < 4; k++) g[i].add(new Edge(r.nextInt(n), r.nextDouble())); } }
  public double run() {
    double[] dist = new double[n]; Arrays.fill(dist, Double.POSITIVE_INFINITY); dist[0] = 0;
    PriorityQueue<double[]> q = new PriorityQueue<>(Comparator.comparingDouble(x -> x[0])); q.add(new double[] {0, 0});
    while (!q.isEmpty()) { double[] top = q.poll(); int v = (int) top[1]; if (top[0] > dist[v]) continue; for (Edge e : g[v]) { double d = top[0] + e.w; if (d < dist[e.to]) { dist[e.to] = d; q.add(new double[] {d, e.to}); } } }
    double s = 0; for (double d : dist) if (d < 1e300) s += d; return s;
  }
}
