import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.type.IntersectionType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.TypeVariable;
import javax.lang.model.type.UnionType;
import javax.lang.model.type.WildcardType;
import javax.tools.Diagnostic;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * What javac makes of names: for each call, new object, field and variable of a file and the sources that it needs, one
 * line with tabs: file, line, column of bytes, declaring class, 1 if its source is at hand, types of formals as they are
 * declared, type of the target, type of the expression. Nothing is generated and no annotation is processed.
 * Arguments: source path, then files.
 */
public class Resolve {
  public static void main(String[] a) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) throw new IllegalStateException("no compiler");
    StandardJavaFileManager files = compiler.getStandardFileManager(d -> {}, null, StandardCharsets.UTF_8);
    // An error ends the analysis of what it stands in, not of all that follows.
    List<String> options = List.of(
        "-proc:none", "-implicit:none", "--should-stop=ifError=FLOW", "-encoding", "UTF-8", "-sourcepath", a[0],
        "-Xprefer:source", "-cp", System.getenv().getOrDefault("CLASSPATH", ""));
    List<File> named = Arrays.stream(a).skip(1).map(File::new).collect(Collectors.toList());
    JavacTask task = (JavacTask)
        compiler.getTask(Writer.nullWriter(), files, Resolve::keep, options, null, files.getJavaFileObjectsFromFiles(named));
    Set<CompilationUnitTree> units = new LinkedHashSet<>();
    task.addTaskListener(new TaskListener() {
      @Override
      public void finished(TaskEvent e) {
        if (e.getKind() == TaskEvent.Kind.ANALYZE) units.add(e.getCompilationUnit());
      }
    });
    task.analyze();
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    Instances instances = new Instances(Trees.instance(task), units);
    for (CompilationUnitTree unit : units) new Names(Trees.instance(task), unit, instances, out).scan(unit, null);
    out.flush();
  }

  /** What javac calls ambiguous has no line: which method is meant nobody knows. */
  static final List<Diagnostic<? extends JavaFileObject>> AMBIGUOUS = new ArrayList<>();

  static void keep(Diagnostic<? extends JavaFileObject> d) {
    if (d.getCode().equals("compiler.err.ref.ambiguous")) AMBIGUOUS.add(d);
  }

  /** Writes the lines of one file. */
  static class Names extends TreePathScanner<Void, Void> {
    final Trees trees;
    final SourcePositions positions;
    final CompilationUnitTree unit;
    final Instances instances;
    /** Variables whose types are being written: a `T` may stand for a `List<T>`. */
    final Set<Element> inside = new HashSet<>();
    final PrintStream out;
    final String file, text;

    Names(Trees trees, CompilationUnitTree unit, Instances instances, PrintStream out) throws IOException {
      this.trees = trees;
      this.unit = unit;
      this.instances = instances;
      this.out = out;
      positions = trees.getSourcePositions();
      file = Paths.get(unit.getSourceFile().toUri()).toAbsolutePath().toString();
      text = unit.getSourceFile().getCharContent(true).toString();
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree node, Void nothing) {
      ExpressionTree select = node.getMethodSelect();
      TypeMirror target = null;
      if (select instanceof MemberSelectTree) target = typeOf(((MemberSelectTree) select).getExpression());
      if (trees.getElement(getCurrentPath()) instanceof ExecutableElement)
        method(nameOf(select), (ExecutableElement) trees.getElement(getCurrentPath()), target, typeOf(node));
      return super.visitMethodInvocation(node, nothing);
    }

    @Override
    public Void visitNewClass(NewClassTree node, Void nothing) {
      if (node.getClassBody() == null && trees.getElement(getCurrentPath()) instanceof ExecutableElement)
        method(start(node), (ExecutableElement) trees.getElement(getCurrentPath()), null, typeOf(node));
      return super.visitNewClass(node, nothing);
    }

    @Override
    public Void visitIdentifier(IdentifierTree node, Void nothing) {
      variable(start(node), trees.getElement(getCurrentPath()), null, typeOf(node));
      return super.visitIdentifier(node, nothing);
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree node, Void nothing) {
      variable(nameOf(node), trees.getElement(getCurrentPath()), typeOf(node.getExpression()), typeOf(node));
      return super.visitMemberSelect(node, nothing);
    }

    void method(long at, ExecutableElement e, TypeMirror target, TypeMirror result) {
      for (Diagnostic<? extends JavaFileObject> d : AMBIGUOUS)
        if (d.getSource().equals(unit.getSourceFile()) && d.getStartPosition() <= at && at <= d.getEndPosition()) return;
      String formals = e.getParameters().stream().map(p -> declared(p.asType())).collect(Collectors.joining(";"));
      line(at, (TypeElement) e.getEnclosingElement(), formals, target, result);
    }

    void variable(long at, Element e, TypeMirror target, TypeMirror type) {
      if (e == null || !e.getKind().isField() && !e.getKind().name().matches("PARAMETER|LOCAL_VARIABLE|BINDING_VARIABLE")) return;
      line(at, e.getEnclosingElement() instanceof TypeElement ? (TypeElement) e.getEnclosingElement() : null, "", target, type);
    }

    void line(long at, TypeElement owner, String formals, TypeMirror target, TypeMirror type) {
      if (at < 0) return;
      long line = unit.getLineMap().getLineNumber(at);
      int start = (int) unit.getLineMap().getStartPosition(line);
      int column = text.substring(start, (int) at).getBytes(StandardCharsets.UTF_8).length + 1;
      String name = owner == null ? "" : owner.getSimpleName().toString();
      int own = owner != null && trees.getTree(owner) != null ? 1 : 0;
      out.println(String.join("\t", file, "" + line, "" + column, name, "" + own, formals, shown(target), shown(type)));
    }

    long start(Tree node) {
      return positions.getStartPosition(unit, node);
    }

    /** Where the last name of `a.b.c` begins. */
    long nameOf(ExpressionTree node) {
      if (!(node instanceof MemberSelectTree)) return start(node);
      return positions.getEndPosition(unit, node) - ((MemberSelectTree) node).getIdentifier().length();
    }

    TypeMirror typeOf(Tree node) {
      return trees.getTypeMirror(new com.sun.source.util.TreePath(getCurrentPath(), node));
    }

    /** A type as a formal declares it: simple names, type variables by their names. */
    static String declared(TypeMirror type) {
      if (type.getKind() == TypeKind.ARRAY) return declared(((ArrayType) type).getComponentType()) + "[]";
      if (type.getKind().isPrimitive()) return type.getKind().name().toLowerCase(java.util.Locale.ROOT);
      if (type instanceof TypeVariable) return ((TypeVariable) type).asElement().getSimpleName().toString();
      return type instanceof DeclaredType ? ((DeclaredType) type).asElement().getSimpleName().toString() : "";
    }

    /** A type with its arguments, by simple names; "" where it is not known. */
    String shown(TypeMirror type) {
      if (type == null) return "";
      switch (type.getKind()) {
        case ARRAY:
          return shown(((ArrayType) type).getComponentType()) + "[]";
        case DECLARED:
          return named((DeclaredType) type);
        case TYPEVAR:
          return variable((TypeVariable) type);
        case WILDCARD:
          TypeMirror above = ((WildcardType) type).getExtendsBound();
          return shown(above == null ? ((WildcardType) type).getSuperBound() : above);
        case INTERSECTION:
          return bound(((IntersectionType) type).getBounds().get(0));
        case UNION:
          return shown(((UnionType) type).getAlternatives().get(0));
        case EXECUTABLE:
          return shown(((ExecutableType) type).getReturnType());
        case VOID:
          return "void";
        default:
          return type.getKind().isPrimitive() ? type.getKind().name().toLowerCase(java.util.Locale.ROOT) : "";
      }
    }

    /** What a type variable stands for where that is one type, else its bound. */
    String variable(TypeVariable type) {
      TypeMirror only = inside.contains(type.asElement()) ? null : instances.of(type);
      if (only == null) return bound(type.getUpperBound());
      inside.add(type.asElement());
      String name = shown(only);
      inside.remove(type.asElement());
      return name;
    }

    /** The bound of a type variable without its arguments, which may name the variable again; "" for Object. */
    String bound(TypeMirror type) {
      if (!(type instanceof DeclaredType)) return type instanceof IntersectionType ? shown(type) : "";
      String name = ((DeclaredType) type).asElement().getSimpleName().toString();
      return name.equals("Object") ? "" : name;
    }

    String named(DeclaredType type) {
      TypeElement element = (TypeElement) type.asElement();
      String name = element.getSimpleName().toString();
      if (name.isEmpty()) {
        List<? extends TypeMirror> above = element.getInterfaces();
        return shown(above.isEmpty() ? element.getSuperclass() : above.get(0));
      }
      if (type.getTypeArguments().isEmpty()) return name;
      return name + type.getTypeArguments().stream().map(this::shown).collect(Collectors.joining(",", "<", ">"));
    }
  }
}
