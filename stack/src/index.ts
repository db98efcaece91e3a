// @NOTE realServicesEnv is exported by its former name until e2e uses the new one.
export { realServicesEnv as realPartsEnv } from './real-services.ts'
export { openAccount, type NewConnection } from './simulated-accounts.ts'
export type { StackInfo } from './stack-info.ts'
export { stackDir } from './state.ts'
export { upStack, type Stack } from './up.ts'
