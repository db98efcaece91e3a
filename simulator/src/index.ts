export { startSimulator, type SimulatorOptions } from './start-simulator.ts'
export type { FaultRule, PlainFault } from './state/faults.ts'

export { postKinds, type PlatformTraits, type PostKind } from './platform-traits.ts'
export { platformTraits } from './platforms/platform-traits.gen.ts'
export type { PostView } from './control/post-view.ts'
export { startModel, type RunningModel } from './ai/start-model.ts'
export { countingVectors } from './counting-vectors.ts'
