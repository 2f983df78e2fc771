/** Parameters that several operations have in common are components of the document. */
import type { describeOperation } from "./operation.ts";

type Operation = ReturnType<typeof describeOperation>;
type Parameter = Operation["parameters"][number];

interface SharedParameters {
  /** By name, in alphabetical order. */
  components: Record<string, Parameter>;
  /** The parameter, or the reference to it. */
  refer(parameter: Parameter): Parameter | { $ref: string };
}

/** A name that several of them have is followed by the tag of the first operation: `languageIdOfContacts`. */
export function shareParameters(operations: readonly Operation[]): SharedParameters {
  const uses = operations.flatMap(({ tags, parameters }) =>
    parameters.map((parameter) => ({ parameter, tag: tags.join(""), key: JSON.stringify(parameter) })),
  );
  const shared = [...Map.groupBy(uses, ({ key }) => key).values()].flatMap(([first, second]) =>
    first && second ? [first] : [],
  );
  const byName = Map.groupBy(shared, ({ parameter }) => parameter.name);
  const named = shared.map((each) => {
    const { name } = each.parameter;
    const isOnly = byName.get(name)?.length === 1;
    return { ...each, component: isOnly ? name : `${name}Of${each.tag.replaceAll(" ", "")}` };
  });
  const names = new Map(named.map(({ key, component }) => [key, component]));
  if (new Set(names.values()).size < names.size)
    throw new Error(`Two parameters have the same name: ${[...names.values()].sort().join(", ")}`);
  const inOrder = named.sort((one, other) => (one.component < other.component ? -1 : 1));
  return {
    components: Object.fromEntries(inOrder.map(({ component, parameter }) => [component, parameter])),
    refer: (parameter) => {
      const name = names.get(JSON.stringify(parameter));
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
    },
  };
}
