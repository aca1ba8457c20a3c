/* Collective calls that have counts: for counts of both types. */
#undef BY_RANK
#undef BY_TYPE
#undef EQUAL
#define BY_RANK(counts, its_type) ((struct apet_sizes){counts, WIDE, 0, its_type, NULL})
#define BY_TYPE(counts, its_types) ((struct apet_sizes){counts, WIDE, 0, MPI_BYTE, its_types})
#define EQUAL(count, its_type) ((struct apet_sizes){NULL, 0, count, its_type, NULL})

FORMS(Bcast, Ibcast, BCAST(apet_bytes(count, type)), A(data, count, type, root, comm), void *data, COUNT count,
      MPI_Datatype type, int root, MPI_Comm comm)
FORMS(Reduce, Ireduce, REDUCTION("reduce", apet_bytes(count, type), root), A(REDUCED_NAMES, root, comm), REDUCED_DATA,
      int root, MPI_Comm comm)
FORMS(Allreduce, Iallreduce, REDUCTION("allreduce", apet_bytes(count, type), -1), A(REDUCED_NAMES, comm), REDUCED_DATA,
      MPI_Comm comm)
FORMS(Scan, Iscan, REDUCTION("scan", apet_bytes(count, type), -1), A(REDUCED_NAMES, comm), REDUCED_DATA, MPI_Comm comm)
FORMS(Exscan, Iexscan, REDUCTION("exscan", apet_bytes(count, type), -1), A(REDUCED_NAMES, comm), REDUCED_DATA,
      MPI_Comm comm)
FORMS(Gather, Igather, BLOCKS("gather", OUT, AT_ROOT ? IN : OUT, root), A(EQUAL_NAMES, root, comm), EQUAL_BLOCKS,
      int root, MPI_Comm comm)
FORMS(Scatter, Iscatter, BLOCKS("scatter", AT_ROOT ? OUT : IN, IN, root), A(EQUAL_NAMES, root, comm), EQUAL_BLOCKS,
      int root, MPI_Comm comm)
FORMS(Allgather, Iallgather, BLOCKS("allgather", OUT, apet_bytes(received, in_type), -1), A(EQUAL_NAMES, comm),
      EQUAL_BLOCKS, MPI_Comm comm)
FORMS(Alltoall, Ialltoall, BLOCKS("alltoall", OUT, apet_bytes(received, in_type), -1), A(EQUAL_NAMES, comm),
      EQUAL_BLOCKS, MPI_Comm comm)
FORMS(Gatherv, Igatherv,
      GATHERED("gatherv", out == MPI_IN_PLACE ? apet_bytes(each[rank_in(comm)], in_type) : apet_bytes(sent, out_type),
               BY_RANK(each, in_type), root),
      A(GATHERED_NAMES, root, comm), GATHERED_BLOCKS, int root, MPI_Comm comm)
FORMS(Allgatherv, Iallgatherv,
      GATHERED("allgatherv", apet_bytes(each[rank_in(comm)], in_type), BY_RANK(each, in_type), -1),
      A(GATHERED_NAMES, comm), GATHERED_BLOCKS, MPI_Comm comm)
FORMS(Scatterv, Iscatterv,
      SCATTERED(BY_RANK(each, out_type),
                in == MPI_IN_PLACE ? apet_bytes(each[rank_in(comm)], out_type) : apet_bytes(received, in_type)),
      A(out, each, places, out_type, in, received, in_type, root, comm), const void *out, EACH each, PLACES places,
      MPI_Datatype out_type, void *in, COUNT received, MPI_Datatype in_type, int root, MPI_Comm comm)
FORMS(Alltoallv, Ialltoallv,
      exchanged(out == MPI_IN_PLACE ? BY_RANK(taken, in_type) : BY_RANK(given, out_type), BY_RANK(taken, in_type),
                comm),
      A(EXCHANGED_NAMES, comm), EXCHANGED, MPI_Comm comm)
FORMS(Alltoallw, Ialltoallw,
      exchanged(out == MPI_IN_PLACE ? BY_TYPE(taken, in_types) : BY_TYPE(given, out_types), BY_TYPE(taken, in_types),
                comm),
      A(out, given, from, out_types, in, taken, to, in_types, comm), const void *out, EACH given, PLACES from,
      const MPI_Datatype *out_types, void *in, EACH taken, PLACES to, const MPI_Datatype *in_types, MPI_Comm comm)
FORMS(Reduce_scatter, Ireduce_scatter, REDUCED(BY_RANK(each, type)), A(out, in, each, type, op, comm), const void *out,
      void *in, EACH each, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
FORMS(Reduce_scatter_block, Ireduce_scatter_block, REDUCED(EQUAL(each, type)), A(out, in, each, type, op, comm),
      const void *out, void *in, COUNT each, MPI_Datatype type, MPI_Op op, MPI_Comm comm)

NEIGHBOURS(Neighbor_allgather, Ineighbor_allgather, A(EQUAL(sent, out_type), EQUAL(received, in_type)),
           A(EQUAL_NAMES, comm), EQUAL_BLOCKS, MPI_Comm comm)
NEIGHBOURS(Neighbor_allgatherv, Ineighbor_allgatherv, A(EQUAL(sent, out_type), BY_RANK(each, in_type)),
           A(GATHERED_NAMES, comm), GATHERED_BLOCKS, MPI_Comm comm)
NEIGHBOURS(Neighbor_alltoall, Ineighbor_alltoall, A(EQUAL(sent, out_type), EQUAL(received, in_type)),
           A(EQUAL_NAMES, comm), EQUAL_BLOCKS, MPI_Comm comm)
NEIGHBOURS(Neighbor_alltoallv, Ineighbor_alltoallv, A(BY_RANK(given, out_type), BY_RANK(taken, in_type)),
           A(EXCHANGED_NAMES, comm), EXCHANGED, MPI_Comm comm)
NEIGHBOURS(Neighbor_alltoallw, Ineighbor_alltoallw, A(BY_TYPE(given, out_types), BY_TYPE(taken, in_types)),
           A(out, given, from, out_types, in, taken, to, in_types, comm), const void *out, EACH given,
           const MPI_Aint *from, const MPI_Datatype *out_types, void *in, EACH taken, const MPI_Aint *to,
           const MPI_Datatype *in_types, MPI_Comm comm)
