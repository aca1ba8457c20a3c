/* The greatest or least sums of packed columns, by vectors of LANES numbers: included once for each width by sums.c. */

typedef double NAME(Numbers) __attribute__((vector_size(LANES * 8), may_alias));
typedef i64 NAME(Bits) __attribute__((vector_size(LANES * 8), may_alias));

/* Packs PACK numbers; 0 if one is outside [least, most]. */
TARGET static i64 NAME(packed)(const double *x, double least, double most, double *room) {
    NAME(Bits) inside = {0}; /* what holds is -1: two for each number that is inside */
    for (i64 i = 0; i < PACK; i += LANES) {
        NAME(Numbers) several;
        memcpy(&several, x + i, sizeof several);
        inside += (NAME(Bits))(several >= least) + (NAME(Bits))(several <= most);
        memcpy(room + i, &several, sizeof several);
    }
    i64 total = 0;
    for (int k = 0; k < LANES; k++) total += inside[k];
    return total == -2 * PACK;
}

/* The greatest or least sum of each configuration; SUMS * LANES sums stay in registers while a row is gone through. */
TARGET static void NAME(extreme)(const Matrix *m, const double *room, double *best) {
    typedef NAME(Numbers) Numbers;
    typedef NAME(Bits) Bits;
    const i64 *starts = m->starts, *columns = m->columns;

    for (i64 at = 0; at < PACK; at += SUMS * LANES) {
        const Numbers *from = (const Numbers *)(room + at);
        Numbers *greatest = (Numbers *)(best + at);
        for (i64 row = 0; row < m->rows; row++) {
            Numbers sum[SUMS] = {0};
            for (i64 j = starts[row]; j < starts[row + 1]; j++) {
                const Numbers *x = from + columns[j] * (PACK / LANES);
                const double factor = m->factors[j];
                for (int k = 0; k < SUMS; k++) sum[k] += factor * x[k];
            }
            for (int k = 0; k < SUMS; k++) {
                if (m->constants) sum[k] += m->constants[row];
                if (row) {
                    const Bits better = m->want_least ? (Bits)(sum[k] < greatest[k]) : (Bits)(sum[k] > greatest[k]);
                    sum[k] = (Numbers)(((Bits)sum[k] & better) | ((Bits)greatest[k] & ~better));
                }
                greatest[k] = sum[k];
            }
        }
    }
}
