import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.TypeVariable;

/**
 * What the type variables of a program stand for, by all that the program writes: the `T` of a `Heap<T>` of which there
 * is only a `Heap<Task>` is `Task`.
 */
class Instances extends TreePathScanner<Void, Void> {
  private final Trees trees;
  /** By the variable's declaration: classes and arrays, and other variables. */
  private final Map<Element, Set<TypeMirror>> arguments = new HashMap<>();

  Instances(Trees trees, Iterable<CompilationUnitTree> units) {
    this.trees = trees;
    for (CompilationUnitTree unit : units) scan(unit, null);
  }

  /** The only type that a variable stands for; null where there are several, or none. */
  TypeMirror of(TypeVariable variable) {
    TypeMirror only = null;
    for (TypeMirror one : reached(variable.asElement(), new HashSet<>())) {
      if (only != null && !only.toString().equals(one.toString())) return null;
      only = one;
    }
    return only;
  }

  private Set<TypeMirror> reached(Element variable, Set<Element> seen) {
    Set<TypeMirror> all = new LinkedHashSet<>();
    if (!seen.add(variable)) return all;
    for (TypeMirror one : arguments.getOrDefault(variable, Set.of()))
      if (one instanceof TypeVariable) all.addAll(reached(((TypeVariable) one).asElement(), seen));
      else all.add(one);
    return all;
  }

  @Override
  public Void scan(Tree node, Void nothing) {
    if (node != null) {
      TreePath here = getCurrentPath() == null ? new TreePath((CompilationUnitTree) node) : new TreePath(getCurrentPath(), node);
      written(trees.getTypeMirror(here));
    }
    return super.scan(node, nothing);
  }

  @Override
  public Void visitMethodInvocation(MethodInvocationTree node, Void nothing) {
    Element called = trees.getElement(getCurrentPath());
    TypeMirror as = trees.getTypeMirror(new TreePath(getCurrentPath(), node.getMethodSelect()));
    if (called instanceof ExecutableElement && as instanceof ExecutableType) {
      matched(((ExecutableElement) called).asType(), as);
    }
    return super.visitMethodInvocation(node, nothing);
  }

  /** The arguments of a generic class, and of those around it and inside it. */
  private void written(TypeMirror type) {
    if (type instanceof ArrayType) written(((ArrayType) type).getComponentType());
    if (!(type instanceof DeclaredType)) return;
    DeclaredType named = (DeclaredType) type;
    matched(named.asElement().asType(), type);
    written(named.getEnclosingType());
    for (TypeMirror inner : named.getTypeArguments()) written(inner);
  }

  /** Variables in what is declared stand for what is in their place. */
  private void matched(TypeMirror declared, TypeMirror instance) {
    if (declared instanceof TypeVariable) {
      stands(((TypeVariable) declared).asElement(), instance);
    } else if (declared instanceof ArrayType && instance instanceof ArrayType) {
      matched(((ArrayType) declared).getComponentType(), ((ArrayType) instance).getComponentType());
    } else if (declared instanceof ExecutableType && instance instanceof ExecutableType) {
      all(((ExecutableType) declared).getParameterTypes(), ((ExecutableType) instance).getParameterTypes());
    } else if (declared instanceof DeclaredType && instance instanceof DeclaredType) {
      all(((DeclaredType) declared).getTypeArguments(), ((DeclaredType) instance).getTypeArguments());
    }
  }

  private void all(List<? extends TypeMirror> declared, List<? extends TypeMirror> instances) {
    for (int i = 0; declared.size() == instances.size() && i < declared.size(); i++) matched(declared.get(i), instances.get(i));
  }

  private void stands(Element variable, TypeMirror type) {
    TypeKind kind = type.getKind();
    if (kind != TypeKind.DECLARED && kind != TypeKind.ARRAY && kind != TypeKind.TYPEVAR) return;
    // Of a library's own variables nothing is asked.
    Element owner = variable.getEnclosingElement();
    TypeElement around = owner instanceof TypeElement ? (TypeElement) owner : (TypeElement) owner.getEnclosingElement();
    boolean same = type instanceof TypeVariable && ((TypeVariable) type).asElement() == variable;
    if (!same && trees.getTree(around) != null) arguments.computeIfAbsent(variable, v -> new LinkedHashSet<>()).add(type);
  }
}
