/** Numbers into a search tree of objects, and its greatest depth. */
public final class TreeTask {
    static final class Node {
        final int key;
        Node left, right;

        Node(int key) {
            this.key = key;
        }
    }

    public static int run(int seed, int numbers) {
        Node root = new Node(1 << 29);
        int deepest = 0;
        for (int i = 0, x = seed; i < numbers; i++) {
            x = (x * 1103515245 + 12345) & 0x7fffffff;
            Node at = root;
            int depth = 0;
            while (at != null) {
                depth++;
                Node next = x < at.key ? at.left : at.right;
                if (next == null) {
                    if (x < at.key) at.left = new Node(x);
                    else at.right = new Node(x);
                }
                at = next;
            }
            if (depth > deepest) deepest = depth;
        }
        return deepest;
    }
}
