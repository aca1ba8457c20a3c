/* Calls whose counts are of type int. */
#define COUNT int
#define EACH const int *
#define PLACES const int *
#define WIDE 0
#define CALL(name) MPI_##name
#define PCALL(name) PMPI_##name
