/** The tasks of a matrix product: some rows of c = a b, the sum of their squares, and the norm of all of c. */
public final class MatrixTask {
    final int n, rows, blocks;
    final double[] a, b, c, sums;

    MatrixTask(int n, int rows, int blocks) {
        this.n = n;
        this.rows = rows;
        this.blocks = blocks;
        a = new double[rows * n];
        b = new double[n * n];
        c = new double[rows * n];
        sums = new double[blocks];
    }

    /** Rows of the product. */
    public void multiply() {
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
                c[i * n + j] = sum;
            }
        }
    }

    /** The sum of the squares of these rows. */
    public double squares() {
        double sum = 0;
        for (int k = 0; k < rows * n; k++) sum += c[k] * c[k];
        return sum;
    }

    /** The norm, of the sums of all blocks. */
    public double norm() {
        double sum = 0;
        for (int k = 0; k < blocks; k++) sum += sums[k];
        return Math.sqrt(sum);
    }
}
