/* Requests of ranks: what waits for messages, at once or later. */

#include "reading.h"

/* Small sends return at once, unless they are synchronous. */
static int at_once(const State *s, i64 request) {
    return (request & MASK) == SENT && !s->messages[request >> SHIFT].waits && s->lowering->mode != UNROLLING;
}

void wait_for(State *s, i64 rank, i64 request) {
    if (request == DONE || s->failed) return;
    if (at_once(s, request)) settled(s, request >> SHIFT, SENDER);
    else emit(s, rank, request >> SHIFT, (int)(request & MASK));
    if ((request & MASK) == RECEIVED && s->t.take_steps && !s->lowering->gathering) emit(s, rank, request >> SHIFT, TAKE);
}

/* Waits for several, of which those that have ended first are taken first. */
void gather_begin(State *s, i64 rank) {
    if (!s->t.take_steps) return;
    s->lowering->gathering = s->queues[rank].length + 1;
    emit(s, rank, 0, TAKES);
}

void gather_end(State *s, i64 rank) {
    i64 first = s->lowering->gathering;
    Queue *q = &s->queues[rank];
    s->lowering->gathering = 0;
    if (!first || s->failed) return;
    i64 number = q->length - first;
    q->items[first - 1 - q->base] = number << SHIFT | TAKES;
    if (number) emit(s, rank, number, TAKEN);
    else q->length--;
}

static int new_node(State *s, Lowering *l) {
    int node = l->spare_node;
    if (node != NONE) {
        l->spare_node = l->nodes[node].next;
        return node;
    }
    if (!grow((void **)&l->nodes, l->node_count, &l->node_room, sizeof(Node))) { s->failed = 1; return NONE; }
    return (int)l->node_count++;
}

static void keep_node(State *s, Lowering *l, i64 rank, int channel, Node content) {
    int node = new_node(s, l), list = content.list;
    if (s->failed) return;
    Channel *c = &l->channels[channel];
    Reading *r = &l->ranks[rank];
    content.channel = channel;
    content.action = (int)l->at;
    content.next = content.after = NONE;
    content.before = r->last;
    l->nodes[node] = content;
    if (c->open[list] == NONE) c->open[list] = node;
    else l->nodes[c->final[list]].next = node;
    c->final[list] = node;
    if (r->last == NONE) r->first = node;
    else l->nodes[r->last].after = node;
    r->last = node;
}

void keep_open(State *s, Lowering *l, i64 rank, int channel, i64 request) {
    if (request == DONE || s->failed) return;
    const Channel *c = &l->channels[channel];
    int list = c->source != c->target && (request & MASK) == RECEIVED;
    keep_node(s, l, rank, channel, (Node){.request = request, .list = list, .parts = NONE});
}

/* A non-blocking collective of a kind, whose requests are noted. */
void keep_begun(State *s, Lowering *l, i64 rank, i64 kind, double flops) {
    int parts = NONE;
    for (; l->requested > 0; l->requested--) {
        int node = new_node(s, l);
        if (s->failed) return;
        l->nodes[node] = (Node){.request = l->requests[l->requested - 1], .next = parts};
        parts = node;
    }
    int channel = channel_of(s, l, rank, BEGUN_BY, kind);
    if (!s->failed) keep_node(s, l, rank, channel, (Node){.request = DONE, .parts = parts, .flops = flops});
}

/* An open request is done; `waits`: after a wait for it. */
static void end_node(State *s, Lowering *l, i64 rank, int node, int waits) {
    if (waits) wait_for(s, rank, l->nodes[node].request);
    for (int part = l->nodes[node].parts, next; part != NONE; part = next) {
        if (waits) wait_for(s, rank, l->nodes[part].request);
        next = l->nodes[part].next;
        l->nodes[part].next = l->spare_node;
        l->spare_node = part;
    }
    if (l->nodes[node].flops > 0) {
        int gathering = l->gathering != 0;
        gather_end(s, rank);
        emit_value(s, rank, l->nodes[node].flops, COMPUTE);
        if (gathering) gather_begin(s, rank);
    }
    l->nodes[node].next = l->spare_node;
    l->spare_node = node;
}

/* The rank's oldest open request of a channel, or the one that `older` others are before; if there is one. */
void wait_one(State *s, Lowering *l, i64 rank, int channel, i64 older) {
    Channel *c = &l->channels[channel];
    Reading *r = &l->ranks[rank];
    int list = c->source == c->target || c->source == rank ? 0 : 1;

    if (c->source != rank && c->target != rank) return;
    int node = c->open[list], before = NONE;
    if (node == NONE) return;
    for (; older > 0 && l->nodes[node].next != NONE; older--) {
        before = node;
        node = l->nodes[node].next;
    }

    const Node *own = &l->nodes[node];
    if (before == NONE) c->open[list] = own->next;
    else l->nodes[before].next = own->next;
    if (c->final[list] == node) c->final[list] = before;
    if (own->before == NONE) r->first = own->after;
    else l->nodes[own->before].after = own->after;
    if (own->after == NONE) r->last = own->before;
    else l->nodes[own->after].before = own->before;
    end_node(s, l, rank, node, 1);
}

static void end_all(State *s, Lowering *l, i64 rank, int waits) {
    Reading *r = &l->ranks[rank];
    if (waits) gather_begin(s, rank);
    for (int node = r->first, after; node != NONE; node = after) {
        after = l->nodes[node].after;
        l->channels[l->nodes[node].channel].open[l->nodes[node].list] = NONE;
        end_node(s, l, rank, node, waits);
    }
    r->first = r->last = NONE;
    r->consumed = 0;
    if (waits) gather_end(s, rank);
}

void wait_for_all(State *s, Lowering *l, i64 rank) { end_all(s, l, rank, 1); }

/* Appends the messages that an open request waits for; how many. */
static i64 awaited(State *s, Lowering *l, int node, Numbers *messages) {
    i64 before = messages->number, request = l->nodes[node].request;
    if (request != DONE && !at_once(s, request)) append(s, messages, request >> SHIFT);
    for (int part = l->nodes[node].parts; part != NONE; part = l->nodes[part].next)
        if (!at_once(s, l->nodes[part].request)) append(s, messages, l->nodes[part].request >> SHIFT);
    return messages->number - before;
}

/* One more of the open requests is done; which one depends on time. When all are, they are forgotten. */
void wait_any(State *s, Lowering *l, i64 rank) {
    Reading *r = &l->ranks[rank];
    if (r->first == NONE) return;
    i64 open = 0, pending = 0, needed;
    i64 requests = l->request_ends.number, messages = l->request_message.number;
    for (int node = r->first; node != NONE && !s->failed; node = l->nodes[node].after, open++)
        if (awaited(s, l, node, &l->request_message)) {
            append(s, &l->request_ends, l->request_message.number);
            pending++;
        }

    needed = ++r->consumed - (open - pending);
    if (needed > 0) {
        emit(s, rank, l->needed.number, ANY);
        append(s, &l->needed, needed);
        append(s, &l->group_ends, l->request_ends.number);
    } else {
        l->request_ends.number = requests;
        l->request_message.number = messages;
    }
    if (r->consumed == open) end_all(s, l, rank, 0);
}

/* Notes the requests that no action of a rank waits for, unless they are done at once. */
void note_unfinished(State *s, Lowering *l, i64 rank) {
    i64 messages = l->request_message.number;
    for (int node = l->ranks[rank].first; node != NONE && !s->failed; node = l->nodes[node].after) {
        const Node *open = &l->nodes[node];
        l->left += open->request == DONE;
        if (!awaited(s, l, node, &l->request_message) && !(open->flops > 0)) continue;
        append(s, &l->unfinished, rank);
        append(s, &l->unfinished, open->action);
        append(s, &l->unfinished, open->request == DONE ? DONE : open->request & MASK);
    }
    l->request_message.number = messages;
}
