/** Multiplies two square matrices, row by row. */
public class Matrix {
    int n;
    double[][] a, b, c;

    Matrix(int n) {
        this.n = n;
        a = new double[n][n];
        b = new double[n][n];
        c = new double[n][n];
    }

    public void run() {
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++) {
                double factor = a[i][k];
                for (int j = 0; j < n; j++) c[i][j] += factor * b[k][j];
            }
        }
    }
}
