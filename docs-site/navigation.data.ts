import type { NavigationSection } from './src/arrange-pages.ts'

/** Files that are not documents are shown there. */
export const repositoryUrl = 'https://github.com/carillon-dev/carillon'

/** The order of the pages. A page that no section has fails the build. */
export const navigation: readonly NavigationSection[] = [
  { title: 'Start', pages: ['README.md'] },
  {
    title: 'Use it',
    pages: [
      'guides/write-and-schedule.md',
      'guides/when-something-fails.md',
      'guides/invite-people.md',
      'guides/connections.md',
      'guides/connect-customers.md',
      'guides/api-keys.md',
      'guides/connected-programs.md',
      'guides/media.md',
      'guides/analytics.md',
      'guides/ai.md',
      'guides/mcp.md',
      'guides/accounts.md',
    ],
  },
  {
    title: 'Program with it',
    pages: [
      'guides/command-line.md',
      'guides/sdk.md',
      'guides/publishing.md',
      'guides/webhooks.md',
      'guides/notices.md',
      'guides/live-updates.md',
      'guides/own-platform.md',
      'guides/simulator.md',
      'interface.md',
    ],
  },
  {
    title: 'Run it',
    pages: [
      'guides/install.md',
      'guides/containers.md',
      'configuration.md',
      'guides/operating.md',
      'guides/platform-apps.md',
      'guides/live-test.md',
      'guides/s3.md',
      'guides/tls-and-proxies.md',
      'guides/kubernetes.md',
      'guides/backups.md',
      'guides/upgrades.md',
      'guides/scaling.md',
      'guides/retention.md',
      'guides/watching.md',
    ],
    rest: 'guides/',
  },
  {
    title: 'Move to Carillon',
    pages: ['guides/import.md', 'guides/import-posts.md', 'guides/migrate-from-postiz.md', 'guides/migrate-from-buffer.md'],
  },
  { title: 'Platforms', pages: [], rest: 'platforms/' },
  { title: 'Alerts', pages: ['alerts/README.md'], rest: 'alerts/' },
  { title: 'Errors', pages: [], rest: 'errors/' },
  {
    title: 'For contributors',
    pages: [
      'architecture.md',
      'glossary.md',
      'guarantees.md',
      'scale.md',
      'guides/cells.md',
      'interface-coverage.md',
      'guides/releasing.md',
    ],
  },
  { title: 'Decisions', pages: [], rest: 'decisions/' },
]
