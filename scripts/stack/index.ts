export { downStack } from './down.ts'
export { addFault, openAccount, type NewConnection, type SimulatedFault } from './simulated-accounts.ts'
export { isUp, readState, stackDir, stackNames, type StackInfo } from './state.ts'
export { upStack, type Stack, type StackOptions } from './up.ts'
