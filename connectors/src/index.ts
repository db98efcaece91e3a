export * from './kit/index.ts'
export { connectors } from './connectors.gen.ts'
