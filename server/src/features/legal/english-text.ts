import type { LegalFacts, LegalTexts } from './legal-text.ts'

const listed = (names: readonly string[]) => new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names)

/** The template in English. It says what the tables hold (docs/guides/retention.md) and nothing that an operator would have to promise. */
export const englishText: LegalTexts = {
  privacy: ({ name, host, platforms, aiHost, auditDays }) => ({
    title: 'Privacy policy',
    intro: [
      `${name} publishes posts on accounts of social platforms, on behalf of the people who connected these accounts. This page says what ` +
        `${host} stores for that, why, for how long, and how you have it deleted.`,
    ],
    sections: [
      {
        heading: 'What we store',
        items: [
          'About people who sign in: name, e-mail address, language and time zone; a password only as a hash that cannot be turned back; ' +
            'passkeys and, encrypted, the second factor; a log of sign-ins and changes of the account with IP address and browser.',
          'About workspaces: their members and invitations, posts with their texts, files and times, the result of each post, and a log of ' +
            'who changed what.',
          'About accounts that you connect: the account’s id, user name, display name and profile picture, the pages that you may publish ' +
            'to, and the access tokens, which are encrypted.',
          'From the platforms: the id and address of each post that was published, and its figures, such as likes, comments, shares and ' +
            'views, as numbers, and how many followers a connected account has on each day.',
        ],
      },
      {
        heading: `Data of ${listed(platforms)}`,
        paragraphs: [
          'We use the permission that you give on a platform only to publish, comment on and delete the posts that you write here, to see ' +
            'whether they were published, and to show you their figures and how many followers your accounts have. For that the platform ' +
            'is asked about your own account and your own posts. We do not read messages, contacts or who follows you, and store nothing ' +
            'about the people who see your posts.',
        ],
      },
      {
        heading: 'Who receives data',
        items: [
          'The platforms on which you publish receive the posts, with their files, that you publish there. Their own terms and privacy ' +
            'policies apply to them.',
          'Programs that your workspace names as webhooks, or that use its API keys, receive what you give them access to.',
          ...(aiHost === null
            ? []
            : [
                `If you ask for suggestions, the text of the post is sent to the language model at ${aiHost}. Otherwise it is not.`,
              ]),
          'We do not sell data, show no advertising and do not track people. There are only cookies that signing in and connecting an ' +
            'account need.',
        ],
      },
      {
        heading: 'How long it is kept',
        items: [
          'Posts, files and figures: until you delete them, or the workspace is deleted.',
          'Connected accounts with their tokens: until you disconnect them, and then until nothing is being sent with them, at most 48 hours. ' +
            'Copies of profile pictures: a week.',
          `Logs: ${auditDays === null ? 'until the person or the workspace is deleted' : `${auditDays} days, or until the person or the workspace is deleted`}.`,
          'Your own account: until you erase it. What you did in a workspace stays in its log without your name and address.',
          'Backups may hold deleted data until they are deleted in turn.',
        ],
      },
      {
        heading: 'Your rights',
        paragraphs: [
          'You can see, correct and erase your data in the settings, and those who manage a workspace can ' +
            'export what it holds. For everything else that the law gives you, such as ' +
            'information, objection or restriction, write to us. You may also complain to the authority for data protection where you live.',
        ],
      },
    ],
  }),
  terms: ({ name, platforms }) => ({
    title: 'Terms of use',
    intro: [`These terms apply to everyone who uses ${name}.`],
    sections: [
      {
        heading: 'What the service does',
        paragraphs: [
          `With ${name} you write posts, plan them and publish them on accounts that you connect (${listed(platforms)}). Each post shows ` +
            'what became of it on each account.',
        ],
      },
      {
        heading: 'Your account',
        items: [
          'Keep your password, passkeys and API keys to yourself. Tell us if somebody else may have them.',
          'The owners of a workspace decide who belongs to it and what each member may do.',
        ],
      },
      {
        heading: 'Your posts',
        items: [
          'What you write and upload stays yours. We use it only to publish it where and when you say.',
          'You publish on your own responsibility: you need the rights in what you publish, and it must not break the law.',
          'Connect only accounts that are yours or that you may publish for. The terms of each platform apply to what you publish there.',
          'Do not use the service for spam, deception or attacks, or to get around the limits of a platform.',
        ],
      },
      {
        heading: 'What we cannot promise',
        paragraphs: [
          'Platforms may refuse, delay or delete posts, change their rules or be unreachable. We say so honestly where it happens, but cannot ' +
            'prevent it. The liability that the law requires is not limited by this page.',
        ],
      },
      {
        heading: 'Ending',
        paragraphs: [
          'You can disconnect accounts and erase your own account at any time in the settings. We may close an account that breaks these ' +
            'terms. Posts that were published stay on the platforms until they are deleted there.',
        ],
      },
    ],
  }),
  deletion: ({ name, platforms, askingPlatforms }) => ({
    title: 'Deleting your data',
    intro: [`You decide what ${name} keeps about you and your accounts. There are four ways to have it deleted.`],
    sections: [
      {
        heading: 'Disconnect one account',
        paragraphs: [
          `Open Integrations, choose the account (${listed(platforms)}) and disconnect it. What was scheduled on it is cancelled. Its ` +
            'tokens and name are deleted as soon as nothing is being sent with it, at most 48 hours later, and our copy of its picture within a week.',
        ],
      },
      {
        heading: 'Remove the app on the platform',
        paragraphs: [
          'Every platform lists the apps that may use your account, in its settings. Remove ours there, and the tokens that we have stop ' +
            'working at once. To have the rest deleted as well, disconnect the account here too, or write to us.',
          `${listed(askingPlatforms)} can also send us your request to delete your data. Then we delete the tokens, name and picture of your ` +
            'account at once, cancel what was scheduled on it, and you get a code and the address of a page that tells what became of it.',
        ],
      },
      {
        heading: 'Erase your account here',
        paragraphs: [
          'Open Settings, then “Erase your account”. Your name, address, passwords, keys and the log of your account are deleted at once. ' +
            'Posts and connected accounts belong to the workspace: an owner deletes them, or the whole workspace, in its settings.',
        ],
      },
      {
        heading: 'Write to us',
        paragraphs: [
          'If you cannot sign in any more, or an account of yours was connected by somebody else, write to us and name the platform and the ' +
            'user name.',
        ],
      },
    ],
  }),
}

export const englishWords = {
  contact: 'Contact',
  operatedBy: ({ name, host }: Pick<LegalFacts, 'name' | 'host'>) => `This service, ${host}, is run by ${name}.`,
  noContact: 'The operator has not named an address yet.',
}
