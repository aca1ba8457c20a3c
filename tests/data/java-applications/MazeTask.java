import java.util.ArrayDeque;
import java.util.Deque;

/** Breadth-first search through a maze with random walls: the cells that are reached. */
public final class MazeTask {
    record Cell(int row, int column) {}

    public static int run(int seed, int side) {
        boolean[][] closed = new boolean[side][side];
        int x = seed;
        for (int i = 0; i < side; i++)
            for (int j = 0; j < side; j++) {
                x = (x * 1103515245 + 12345) & 0x7fffffff;
                closed[i][j] = (x >> 8) % 4 == 0;
            }
        Deque<Cell> open = new ArrayDeque<>();
        open.add(new Cell(0, 0));
        closed[0][0] = true;
        int reached = 0;
        while (!open.isEmpty()) {
            Cell cell = open.poll();
            reached++;
            for (int k = 0; k < 4; k++) {
                int row = cell.row() + (k - 1) % 2, column = cell.column() + (k - 2) % 2;
                if (row < 0 || column < 0 || row >= side || column >= side || closed[row][column]) continue;
                closed[row][column] = true;
                open.add(new Cell(row, column));
            }
        }
        return reached;
    }
}
