/* Neighbourhood collectives as messages: a rank posts a receive for each of its sources and a send for each of its
   targets, then waits for all of them. That is how MPICH and Open MPI do them. */
#include "trace.h"

#include <stdlib.h>

enum { TAG = 999999 }; /* the last one of a communicator: programs rarely get there */

struct edges {
    int in, out, *sources, *targets;
};

static int *numbers(int count)
{
    return malloc(sizeof(int) * (size_t)(count + 1));
}

static struct edges on_a_grid(MPI_Comm comm)
{
    int dimensions = 0;
    PMPI_Cartdim_get(comm, &dimensions);
    struct edges edges = {2 * dimensions, 2 * dimensions, numbers(2 * dimensions), numbers(2 * dimensions)};
    for (int k = 0; k < dimensions; k++) {
        PMPI_Cart_shift(comm, k, 1, edges.sources + 2 * k, edges.sources + 2 * k + 1);
        edges.targets[2 * k] = edges.sources[2 * k];
        edges.targets[2 * k + 1] = edges.sources[2 * k + 1];
    }
    return edges;
}

static struct edges in_a_graph(MPI_Comm comm)
{
    int rank, count = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Graph_neighbors_count(comm, rank, &count);
    struct edges edges = {count, count, numbers(count), numbers(count)};
    PMPI_Graph_neighbors(comm, rank, count, edges.sources);
    PMPI_Graph_neighbors(comm, rank, count, edges.targets);
    return edges;
}

static struct edges as_told(MPI_Comm comm)
{
    int in = 0, out = 0, weighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    struct edges edges = {in, out, numbers(in), numbers(out)};
    int *weights = numbers(in), *others = numbers(out);
    PMPI_Dist_graph_neighbors(comm, in, edges.sources, weights, out, edges.targets, others);
    free(weights);
    free(others);
    return edges;
}

static struct edges edges_of(MPI_Comm comm)
{
    int kind = MPI_UNDEFINED;
    PMPI_Topo_test(comm, &kind);
    return kind == MPI_CART ? on_a_grid(comm) : kind == MPI_GRAPH ? in_a_graph(comm) : as_told(comm);
}

/* The messages of one collective, not yet posted; one request stands for them. Those to itself are left out. */
struct apet_request *apet_neighbours(MPI_Comm comm, struct apet_sizes sent, struct apet_sizes received,
                                     int persistent)
{
    struct apet_request *messages = apet_new(APET_SEVERAL, comm, 0, 0, 0, persistent);
    struct edges edges = edges_of(comm);
    int rank;
    PMPI_Comm_rank(comm, &rank);
    for (int k = 0; k < edges.in; k++)
        if (edges.sources[k] != MPI_PROC_NULL && edges.sources[k] != rank)
            apet_add(messages, apet_new(APET_RECEIVES, comm, edges.sources[k], TAG, apet_size_of(&received, k),
                                        persistent));
    for (int k = 0; k < edges.out; k++)
        if (edges.targets[k] != MPI_PROC_NULL && edges.targets[k] != rank)
            apet_add(messages, apet_new(APET_SENDS, comm, edges.targets[k], TAG, apet_size_of(&sent, k), persistent));
    free(edges.sources);
    free(edges.targets);
    return messages;
}
