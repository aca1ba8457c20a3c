/* Rounds of Jacobi's method on a grid of n x n points. */
void jacobi(int n, int rounds, double a[n][n], double b[n][n]) {
    for (int t = 0; t < rounds; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
    }
}
