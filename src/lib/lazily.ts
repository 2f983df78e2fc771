/** Loads code when it is needed. */

/** The methods that wait, as those of an object do that is created by its first call. */
export type Lazy<T> = {
  readonly [K in keyof T as T[K] extends (...given: never[]) => Promise<unknown> ? K : never]: T[K];
};

/** Loads by the first call, and keeps what was loaded: `import()` resolves its path each time. After an error, it tries again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/**
 * Objects that the first call of a method of any of them creates, with the code that they need. If that fails, so does
 * the call, and the next one tries again.
 * @param names of those of them that are wanted
 */
export function lazily<T extends object, N extends keyof T & string>(
  create: () => Promise<T>,
  ...names: readonly N[]
): { [K in N]: Lazy<T[K]> };
export function lazily(create: () => Promise<object>, ...names: readonly string[]): unknown {
  const createOnce = loadOnce(create);
  const createOne = (name: string) =>
    new Proxy(
      {},
      {
        get(_, method) {
          // What has this method is taken for a promise.
          if (method === "then") return undefined;
          return async (...given: unknown[]) => callMethod([await createOnce(), name, method], given);
        },
      },
    );
  return Object.fromEntries(names.map((name) => [name, createOne(name)]));
}

function callMethod([all, name, method]: [object, string, string | symbol], given: unknown[]): unknown {
  const created: unknown = Reflect.get(all, name);
  const called: unknown = created instanceof Object && Reflect.get(created, method);
  if (typeof called !== "function") throw new TypeError(`${name} has no method ${String(method)}`);
  return Reflect.apply(called, created, given);
}
