/** Sorts by merging: a recursion that halves its range. */
public class MergeSort {
    int[] values, other;
    int n;

    MergeSort(int n) {
        this.n = n;
        values = new int[n];
        other = new int[n];
    }

    void sort(int low, int high) {
        if (high - low < 2) return;
        int middle = (low + high) / 2;
        sort(low, middle);
        sort(middle, high);
        merge(low, middle, high);
    }

    void merge(int low, int middle, int high) {
        int left = low, right = middle;
        for (int k = low; k < high; k++) {
            if (left < middle && (right >= high || values[left] <= values[right])) other[k] = values[left++];
            else other[k] = values[right++];
        }
        for (int k = low; k < high; k++) values[k] = other[k];
    }

    public void run() {
        sort(0, n);
    }
}
