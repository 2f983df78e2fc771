/** All instances restarted in turn, as for a new setting: no request through the balancer may fail or be cut. */
import { type Instances, untilNoticed } from "../instances.ts";
import { type Fault, RESTARTED } from "./fault.ts";

export const restarted: Fault = {
  name: "restarts",
  title: "all instances restarted in turn",
  seconds: 0,
  mayLeave: "all",
  limits: RESTARTED,
  async begin({ servers: { instances } }) {
    const meanwhile = async () => {
      await restartInTurn(instances);
      return [];
    };
    return { meanwhile, repair() {} };
  },
};

export async function restartInTurn(instances: Instances): Promise<void> {
  for (let index = 0; index < instances.count; index += 1) {
    await instances.restart(index);
    await untilNoticed();
  }
}
