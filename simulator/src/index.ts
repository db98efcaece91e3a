export { startSimulator, type SimulatorOptions } from './start-simulator.ts'
export type { FaultRule, PlainFault } from './state/faults.ts'

export type { PostView } from './control/post-view.ts'
export { startModel, type RunningModel } from './ai/start-model.ts'
