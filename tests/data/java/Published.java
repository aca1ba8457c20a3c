class Published {
    void main(boolean condition) {
        if (condition) method(100000);
        else block1();
    }

    void method(double y) {
        double i;
        for (i = 0; i < y; i++) { block2(); }
    }

    native void block1();

    native void block2();
}
