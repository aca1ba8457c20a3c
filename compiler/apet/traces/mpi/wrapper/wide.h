/* Calls whose counts are of type MPI_Count: MPI 4 has them with a `_c` behind their names. */
#undef COUNT
#undef EACH
#undef PLACES
#undef WIDE
#undef CALL
#undef PCALL
#define COUNT MPI_Count
#define EACH const MPI_Count *
#define PLACES const MPI_Aint *
#define WIDE 1
#define CALL(name) MPI_##name##_c
#define PCALL(name) PMPI_##name##_c
