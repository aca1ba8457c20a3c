/* Work in a shared library: compiled with LIBRARY for that, without for the program. */
#include <mpi.h>

double work(double *values, int count);

#ifdef LIBRARY
double work(double *values, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += values[k] * values[k];
    return sum;
}
#else
static double values[100000];

int main(int count, char **words)
{
    MPI_Init(&count, &words);
    double sum = work(values, 100000);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
#endif
