/** A worker thread that exits at the first question. */
export default () => process.exit(3);
