/** A worker thread that ends when it is asked. */
export default () => process.exit(3);
