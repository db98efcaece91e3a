import { requestJson } from '../request-json.ts'
import { platforms, type SimulatorControl } from '../setup/simulator.ts'
import { faultShare, otherFaults, otherOperations, submitFaults } from './platform-faults.data.ts'

/** From now on 5 % of the calls to every platform go wrong, in an order that is the same in every run. */
export async function addPlatformFaults(simulator: SimulatorControl): Promise<void> {
  let seed = 0
  const add = (platform: string, operation: string, faults: readonly object[]) =>
    requestJson(`${simulator.url}/_control/faults`, {
      body: { platform, operation, fault: { kind: 'random', seed: ++seed, probability: faultShare, faults } },
    })
  for (const platform of platforms) {
    await add(platform, 'submit', submitFaults[platform])
    for (const operation of otherOperations) await add(platform, operation, otherFaults)
  }
}
