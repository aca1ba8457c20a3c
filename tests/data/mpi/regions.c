/* Two regions that the program names: one of divisions, one of additions. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    volatile double sum = 1;
    MPI_Init(&argc, &argv);
    MPI_Pcontrol(1);
    for (int k = 0; k < 3; k++) {
        MPI_Pcontrol(3);
        for (int i = 0; i < 200000; i++) sum = 1 / (sum + 1);
        MPI_Pcontrol(-3);
        MPI_Pcontrol(4);
        for (int i = 0; i < 200000; i++) sum += i;
        MPI_Pcontrol(-4);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
