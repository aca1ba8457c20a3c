package sleeping;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.api.java.function.PairFunction;
import scala.Tuple2;

/** Tasks of Spark that sleep in the virtual machine: they cost next to no processor time, as a worker of Python does. */
public final class Sleeping
        implements Function2<Integer, Iterator<Object>, Iterator<Object>>, PairFunction<Object, Object, Object> {
    private final List<Double> seconds;

    public Sleeping(List<Double> seconds) {
        this.seconds = seconds;
    }

    /** The task of a partition. */
    @Override
    public Iterator<Object> call(Integer partition, Iterator<Object> items) throws InterruptedException {
        Thread.sleep(Math.round(1000 * seconds.get(partition)));
        return items;
    }

    /** A pair for a shuffle. */
    @Override
    public Tuple2<Object, Object> call(Object item) {
        return new Tuple2<>(item, item);
    }
}
