import java.util.*;

public class SortPeople extends Kernel {
  List<Person> people;

  public void setup(int n) {
    people = new ArrayList<>();
    int[] age = rnd(n, 90, 28);
    for (int i = 0; i < n; i++) people.add(new Person("p" + i, age[i]));
  }

  public double run() {
    List<Person> sorted = new ArrayList<>(people);
    sorted.sort(Comparator.comparingInt(p -> p.age));
    return sorted.get(0).age + sorted.get(sorted.size() / 2).age;
  }

  static class Person {
    final String name;
    final int age;

    Person(String name, int age) {
      this.name = name;
      this.age = age;
    }
  }
}
