import type { CommandEntry } from '../infra/command-line/command.ts'

/** Every command of the program, in the order of `carillon --help`. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'run the service',
    load: async () => (await import('./serve-command.ts')).serveCommand,
  },
  {
    name: 'router',
    summary: 'join several installations (cells) behind one address',
    load: async () => (await import('../cells/router/router-command.ts')).routerCommand,
  },
  {
    name: 'try',
    summary: 'start a trial on this machine, with everything it needs',
    load: async () => (await import('./try.ts')).tryCommand,
  },
  {
    name: 'migrate',
    summary: 'bring the database schema and its logins forward',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  {
    name: 'doctor',
    summary: 'check the settings, services and keys of this installation',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    name: 'workers',
    summary: 'show which release gets new work, and what runs on others',
    load: async () => (await import('./workers.ts')).workersCommand,
  },
  {
    name: 'setup',
    summary: 'create the first workspace and API key',
    load: async () => (await import('./setup.ts')).setupCommand,
  },
  {
    name: 'sign-in-link',
    summary: 'print a link with which a person sets a password',
    load: async () => (await import('./sign-in-link.ts')).signInLinkCommand,
  },
  {
    name: 'change-address',
    summary: 'give a person another e-mail address',
    load: async () => (await import('./change-address.ts')).changeAddressCommand,
  },
  {
    name: 'operator',
    summary: 'make a person the operator of this installation',
    load: async () => (await import('./operator.ts')).operatorCommand,
  },
  {
    name: 'connect',
    summary: 'add connections given as JSON on standard input',
    load: async () => (await import('./connect.ts')).connectCommand,
  },
  {
    name: 'live-test',
    summary: 'publish one post of each kind on a connected account, and delete it again',
    load: async () => (await import('./live-test.ts')).liveTestCommand,
  },
  {
    name: 'connector-test',
    summary: 'send test posts to a receiver that you wrote, and say what it keeps',
    load: async () => (await import('./connector-test.ts')).connectorTestCommand,
  },
  {
    name: 'plan',
    summary: 'change the plan of a workspace',
    load: async () => (await import('./plan.ts')).planCommand,
  },
  {
    name: 'move-workspace',
    summary: 'move a workspace to another cell',
    load: async () => (await import('../cells/move/move-workspace-command.ts')).moveWorkspaceCommand,
  },
  {
    name: 'rotate-keys',
    summary: 'encrypt all stored secrets with the newest key',
    load: async () => (await import('./rotate-keys.ts')).rotateKeysCommand,
  },
  {
    name: 'audit verify',
    summary: 'recompute the hash chains of the audit logs',
    load: async () => (await import('./audit-verify.ts')).auditVerifyCommand,
  },
  {
    name: 'roles',
    summary: 'create the roles that a dump needs before it is restored',
    load: async () => (await import('./roles.ts')).rolesCommand,
  },
  {
    name: 'backup',
    summary: 'write the database into a folder',
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'fill an empty database with a backup',
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  {
    name: 'restore finish',
    summary: 'start sending again after a restore',
    load: async () => (await import('./restore-finish.ts')).restoreFinishCommand,
  },
  {
    name: 'fence status',
    summary: 'show whether sending is stopped, and why',
    load: async () => (await import('./fence-status.ts')).fenceStatusCommand,
  },
  {
    name: 'fence lift',
    summary: 'start sending again: the database is complete',
    load: async () => (await import('./fence-lift.ts')).fenceLiftCommand,
  },
]
