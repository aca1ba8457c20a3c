/* Points of a size x size picture that stay within 2 for so many steps: rows are dealt to threads as they get free. */
int inside(int size, int steps) {
    int count = 0;
#pragma omp parallel for schedule(dynamic, 4) reduction(+ : count)
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++) {
            double x = 0, y = 0;
            int step = 0;
            while (step < steps && x * x + y * y <= 4) {
                double next = x * x - y * y + 3.0 * row / size - 2;
                y = 2 * x * y + 3.0 * column / size - 1.5;
                x = next;
                step++;
            }
            count += step == steps;
        }
    return count;
}
