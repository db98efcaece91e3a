import type { CommandEntry } from './line/command.ts'

/** Every command for people and scripts, in the order of the help. The server's program has others under the same word `carillon`. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'login',
    summary: 'keep an address and an API key for the other commands',
    load: async () => (await import('./commands/login.ts')).login,
  },
  { name: 'logout', summary: 'forget them', load: async () => (await import('./commands/logout.ts')).logout },
  {
    name: 'whoami',
    summary: 'show the server, the workspace and the person of the API key',
    load: async () => (await import('./commands/whoami.ts')).whoami,
  },
  {
    name: 'status',
    summary: 'the same as whoami',
    load: async () => (await import('./commands/whoami.ts')).whoami,
  },
  {
    name: 'post create',
    summary: 'publish, schedule or draft a post',
    load: async () => (await import('./commands/post-create.ts')).postCreate,
  },
  {
    name: 'post list',
    summary: 'list posts, newest first',
    load: async () => (await import('./commands/post-list.ts')).postList,
  },
  {
    name: 'post show',
    summary: 'show one post and the result of each account',
    load: async () => (await import('./commands/post-show.ts')).postShow,
  },
  {
    name: 'post cancel',
    summary: 'make a scheduled post a draft again',
    load: async () => (await import('./commands/post-cancel.ts')).postCancel,
  },
  {
    name: 'post retry',
    summary: 'send a post again on the accounts where it failed',
    load: async () => (await import('./commands/post-retry.ts')).postRetry,
  },
  { name: 'post delete', summary: 'delete a post', load: async () => (await import('./commands/post-delete.ts')).postDelete },
  {
    name: 'accounts list',
    summary: 'list the accounts that posts can go to',
    load: async () => (await import('./commands/accounts-list.ts')).accountsList,
  },
  {
    name: 'media add',
    summary: 'upload files to the media library',
    load: async () => (await import('./commands/media-add.ts')).mediaAdd,
  },
  {
    name: 'media list',
    summary: 'list files, newest first',
    load: async () => (await import('./commands/media-list.ts')).mediaList,
  },
  {
    name: 'queues list',
    summary: 'list the queues and the next free slot of each',
    load: async () => (await import('./commands/queues-list.ts')).queuesList,
  },
  {
    name: 'import',
    summary: 'make posts of a file, or say what would become of it',
    load: async () => (await import('./commands/import-posts.ts')).importPosts,
  },
  {
    name: 'export',
    summary: 'print the posts as a file that an import reads',
    load: async () => (await import('./commands/export-posts.ts')).exportPosts,
  },
  {
    name: 'listen',
    summary: 'print events, or forward them to a program on this machine',
    load: async () => (await import('./commands/listen.ts')).listen,
  },
  {
    name: 'completion',
    summary: 'print the completion of commands and options for a shell',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
]
