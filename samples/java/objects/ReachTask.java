import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** How many nodes of a random graph are reached from its first one, by breadth-first search. */
public final class ReachTask {
    private ReachTask() {}

    public static int run(int seed, int nodes, int degree) {
        List<List<Integer>> neighbours = new ArrayList<>();
        for (int k = 0; k < nodes; k++) neighbours.add(new ArrayList<>());
        long state = seed;
        for (int k = 0; k < nodes; k++) {
            for (int e = 0; e < degree; e++) {
                state = state * 6364136223846793005L + 1442695040888963407L;
                neighbours.get(k).add((int) ((state >>> 33) % nodes));
            }
        }

        boolean[] reached = new boolean[nodes];
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        queue.add(0);
        reached[0] = true;
        int count = 0;
        while (!queue.isEmpty()) {
            int node = queue.poll();
            count++;
            for (int next : neighbours.get(node)) {
                if (!reached[next]) {
                    reached[next] = true;
                    queue.add(next);
                }
            }
        }
        return count;
    }
}
