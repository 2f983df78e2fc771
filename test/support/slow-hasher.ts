/** A password hasher that can be held up, to see what becomes of a request when the world goes on in the meantime. */
import { PasswordHasher } from "../../src/adapters/password-hasher.ts";

/** Works like its parent, and then waits until it is told to go on. */
export class SlowHasher extends PasswordHasher {
  readonly #done = Promise.withResolvers<void>();
  readonly #goOn = Promise.withResolvers<void>();
  /** Resolves when the work is done that is now held up. */
  readonly isDone = this.#done.promise;
  readonly goOn = this.#goOn.resolve;

  override hash(password: string): Promise<string> {
    return this.#holdUp(super.hash(password));
  }

  override verify(password: string, storedHash: string | undefined): Promise<boolean> {
    return this.#holdUp(super.verify(password, storedHash));
  }

  async #holdUp<T>(work: Promise<T>): Promise<T> {
    const result = await work;
    this.#done.resolve();
    await this.#goOn.promise;
    return result;
  }
}
