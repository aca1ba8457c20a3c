import java.util.ArrayList;
import java.util.List;

/** Areas of drawn shapes of three classes. */
public final class ShapesTask {
    interface Shape {
        double area();
    }

    record Circle(double radius) implements Shape {
        public double area() {
            return 3.14159 * radius * radius;
        }
    }

    record Box(double width, double height) implements Shape {
        public double area() {
            return width * height;
        }
    }

    record Triangle(double base, double height) implements Shape {
        public double area() {
            return base * height / 2;
        }
    }

    public static int run(int seed, int number) {
        List<Shape> shapes = new ArrayList<>();
        for (int i = 0, x = seed; i < number; i++) {
            x = (x * 1103515245 + 12345) & 0x7fffffff;
            int size = (x >> 8) % 50;
            int kind = (x >> 16) % 3;
            shapes.add(kind == 0 ? new Circle(size) : kind == 1 ? new Box(size, 3) : new Triangle(4, size));
        }
        double sum = 0;
        for (Shape shape : shapes) sum += shape.area();
        return (int) sum;
    }
}
