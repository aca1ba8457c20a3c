/* Collective calls that have counts: for counts of both types. */
#undef BY_RANK
#undef BY_TYPE
#undef EQUAL
#define BY_RANK(counts, its_type) ((struct apet_sizes){counts, WIDE, 0, its_type, NULL})
#define BY_TYPE(counts, its_types) ((struct apet_sizes){counts, WIDE, 0, MPI_BYTE, its_types})
#define EQUAL(count, its_type) ((struct apet_sizes){NULL, 0, count, its_type, NULL})

FORMS(Bcast, Ibcast, bcast(apet_bytes(count, type), root, comm), A(data, count, type, root, comm),
      void *data, COUNT count, MPI_Datatype type, int root, MPI_Comm comm)
FORMS(Reduce, Ireduce, reduction("reduce", apet_bytes(count, type), root, comm),
      A(out, in, count, type, op, root, comm),
      const void *out, void *in, COUNT count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
FORMS(Allreduce, Iallreduce, reduction("allreduce", apet_bytes(count, type), -1, comm),
      A(out, in, count, type, op, comm),
      const void *out, void *in, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
FORMS(Scan, Iscan, reduction("scan", apet_bytes(count, type), -1, comm), A(out, in, count, type, op, comm),
      const void *out, void *in, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
FORMS(Exscan, Iexscan, reduction("exscan", apet_bytes(count, type), -1, comm), A(out, in, count, type, op, comm),
      const void *out, void *in, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
FORMS(Gather, Igather, equal("gather", OUT, AT_ROOT ? IN : OUT, root, comm),
      A(out, sent, out_type, in, received, in_type, root, comm),
      const void *out, COUNT sent, MPI_Datatype out_type, void *in, COUNT received, MPI_Datatype in_type, int root,
      MPI_Comm comm)
FORMS(Scatter, Iscatter, equal("scatter", AT_ROOT ? OUT : IN, IN, root, comm),
      A(out, sent, out_type, in, received, in_type, root, comm),
      const void *out, COUNT sent, MPI_Datatype out_type, void *in, COUNT received, MPI_Datatype in_type, int root,
      MPI_Comm comm)
FORMS(Allgather, Iallgather, equal("allgather", OUT, apet_bytes(received, in_type), -1, comm),
      A(out, sent, out_type, in, received, in_type, comm),
      const void *out, COUNT sent, MPI_Datatype out_type, void *in, COUNT received, MPI_Datatype in_type, MPI_Comm comm)
FORMS(Alltoall, Ialltoall, equal("alltoall", OUT, apet_bytes(received, in_type), -1, comm),
      A(out, sent, out_type, in, received, in_type, comm),
      const void *out, COUNT sent, MPI_Datatype out_type, void *in, COUNT received, MPI_Datatype in_type, MPI_Comm comm)
FORMS(Gatherv, Igatherv,
      gathered("gatherv", out == MPI_IN_PLACE ? apet_bytes(each[rank_in(comm)], in_type) : apet_bytes(sent, out_type),
               BY_RANK(each, in_type), root, comm),
      A(out, sent, out_type, in, each, places, in_type, root, comm),
      const void *out, COUNT sent, MPI_Datatype out_type, void *in, EACH each, PLACES places, MPI_Datatype in_type,
      int root, MPI_Comm comm)
FORMS(Allgatherv, Iallgatherv,
      gathered("allgatherv", apet_bytes(each[rank_in(comm)], in_type), BY_RANK(each, in_type), -1, comm),
      A(out, sent, out_type, in, each, places, in_type, comm),
      const void *out, COUNT sent, MPI_Datatype out_type, void *in, EACH each, PLACES places, MPI_Datatype in_type,
      MPI_Comm comm)
FORMS(Scatterv, Iscatterv,
      scattered(BY_RANK(each, out_type),
                in == MPI_IN_PLACE ? apet_bytes(each[rank_in(comm)], out_type) : apet_bytes(received, in_type), root,
                comm),
      A(out, each, places, out_type, in, received, in_type, root, comm),
      const void *out, EACH each, PLACES places, MPI_Datatype out_type, void *in, COUNT received,
      MPI_Datatype in_type, int root, MPI_Comm comm)
FORMS(Alltoallv, Ialltoallv,
      exchanged(out == MPI_IN_PLACE ? BY_RANK(taken, in_type) : BY_RANK(given, out_type), BY_RANK(taken, in_type),
                comm),
      A(out, given, from, out_type, in, taken, to, in_type, comm),
      const void *out, EACH given, PLACES from, MPI_Datatype out_type, void *in, EACH taken, PLACES to,
      MPI_Datatype in_type, MPI_Comm comm)
FORMS(Alltoallw, Ialltoallw,
      exchanged(out == MPI_IN_PLACE ? BY_TYPE(taken, in_types) : BY_TYPE(given, out_types), BY_TYPE(taken, in_types),
                comm),
      A(out, given, from, out_types, in, taken, to, in_types, comm),
      const void *out, EACH given, PLACES from, const MPI_Datatype *out_types, void *in, EACH taken, PLACES to,
      const MPI_Datatype *in_types, MPI_Comm comm)
FORMS(Reduce_scatter, Ireduce_scatter, reduced(BY_RANK(each, type), comm), A(out, in, each, type, op, comm),
      const void *out, void *in, EACH each, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
FORMS(Reduce_scatter_block, Ireduce_scatter_block, reduced(EQUAL(each, type), comm), A(out, in, each, type, op, comm),
      const void *out, void *in, COUNT each, MPI_Datatype type, MPI_Op op, MPI_Comm comm)

NEIGHBOURS(Neighbor_allgather, Ineighbor_allgather, A(EQUAL(sent, out_type), EQUAL(received, in_type)),
           A(out, sent, out_type, in, received, in_type, comm),
           const void *out, COUNT sent, MPI_Datatype out_type, void *in, COUNT received, MPI_Datatype in_type,
           MPI_Comm comm)
NEIGHBOURS(Neighbor_allgatherv, Ineighbor_allgatherv, A(EQUAL(sent, out_type), BY_RANK(each, in_type)),
           A(out, sent, out_type, in, each, places, in_type, comm),
           const void *out, COUNT sent, MPI_Datatype out_type, void *in, EACH each, PLACES places,
           MPI_Datatype in_type, MPI_Comm comm)
NEIGHBOURS(Neighbor_alltoall, Ineighbor_alltoall, A(EQUAL(sent, out_type), EQUAL(received, in_type)),
           A(out, sent, out_type, in, received, in_type, comm),
           const void *out, COUNT sent, MPI_Datatype out_type, void *in, COUNT received, MPI_Datatype in_type,
           MPI_Comm comm)
NEIGHBOURS(Neighbor_alltoallv, Ineighbor_alltoallv, A(BY_RANK(given, out_type), BY_RANK(taken, in_type)),
           A(out, given, from, out_type, in, taken, to, in_type, comm),
           const void *out, EACH given, PLACES from, MPI_Datatype out_type, void *in, EACH taken, PLACES to,
           MPI_Datatype in_type, MPI_Comm comm)
NEIGHBOURS(Neighbor_alltoallw, Ineighbor_alltoallw, A(BY_TYPE(given, out_types), BY_TYPE(taken, in_types)),
           A(out, given, from, out_types, in, taken, to, in_types, comm),
           const void *out, EACH given, const MPI_Aint *from, const MPI_Datatype *out_types, void *in, EACH taken,
           const MPI_Aint *to, const MPI_Datatype *in_types, MPI_Comm comm)
