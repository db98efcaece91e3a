import { expect, test } from 'vitest'
import { checkWorkerHost } from './deployments.ts'

const keys = ['publickeyv1_2G8dCQhArfvGpzPw5Vx2ALciR4xCLHfS5YaT93XjNxX9']

test('guarantee: a worker that other machines can reach does not start without the key of its engine', () => {
  for (const workerHost of ['0.0.0.0', '::', '10.0.0.4', '127.evil.example', 'worker.internal'])
    expect(() => checkWorkerHost({ workerHost, restateIdentityKeys: [] })).toThrow('RESTATE_IDENTITY_KEYS is not set')
})

test('it starts with a key, and on a loopback address', () => {
  for (const workerHost of ['127.0.0.1', '127.0.0.5', '::1', 'localhost'])
    expect(() => checkWorkerHost({ workerHost, restateIdentityKeys: [] })).not.toThrow()
  expect(() => checkWorkerHost({ workerHost: '0.0.0.0', restateIdentityKeys: keys })).not.toThrow()
})
