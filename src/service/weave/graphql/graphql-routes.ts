import * as z from 'zod/mini'
import { optional } from '../../../contract/schema'
import { defineEndpoint } from '../../../contract/endpoint'
import { ProjectId } from '../../../contract/project-id'
import { type Route, route } from '../../http/route'
import { canAccessProject, type User } from '../../http/user'

const GraphqlError = z.object({ message: z.string(), extensions: z.optional(z.object({ code: z.string() })) })
type GraphqlError = z.infer<typeof GraphqlError>

/**
 * Not a GraphQL server: only the three queries that the Weave SDK for Python sends to W&B before it traces, recognised by
 * their first field. A failure is status 200 with `errors`, because the SDK repeats requests that fail with another status.
 */
const queryGraphql = defineEndpoint({
  path: '/graphql',
  request: z.object({ query: z.string(), variables: optional(z.record(z.string(), z.unknown())) }),
  response: z.object({ data: z.nullable(z.record(z.string(), z.unknown())), errors: z.optional(z.array(GraphqlError)) }),
})

export function graphqlRoutes(): Route[] {
  return [
    route(queryGraphql, async ({ query, variables = {} }, { user }) => {
      const field = /\{\s*(\w+)/.exec(query)?.[1]
      if (field === 'viewer') return { data: { viewer: toViewer(user) } }
      if (field === 'project') {
        const project = toProject(user, variables['entityName'], variables['name'])
        return 'message' in project ? { data: null, errors: [project] } : { data: { project } }
      }
      // Nothing to create: a project exists as soon as a client sends something to it.
      if (field === 'upsertModel') {
        const model = toProject(user, variables['entity'], variables['name'])
        return 'message' in model ? { data: null, errors: [model] } : { data: { upsertModel: { model } } }
      }
      return { data: null, errors: [{ message: 'Only viewer, project and upsertModel are supported here.' }] }
    }),
  ]
}

/** The default entity is that of the user's first project; for a user with access to every project, the username. */
function toViewer({ username, projects }: User) {
  const entity = projects === '*' ? username.replaceAll('/', '-') : projects[0]?.split('/')[0]
  return { username, defaultEntity: entity === undefined ? null : { name: entity } }
}

function toProject(user: User, entity: unknown, name: unknown): { name: string; description: null } | GraphqlError {
  const parsed = ProjectId.safeParse(typeof entity === 'string' && typeof name === 'string' ? `${entity}/${name}` : undefined)
  if (!parsed.success || typeof name !== 'string') {
    return { message: "A project needs an entity and a name, both non-empty and without '/'." }
  }
  if (canAccessProject(user, parsed.data)) return { name, description: null }
  return { message: `The user '${user.username}' has no access to this project.`, extensions: { code: 'PERMISSION_ERROR' } }
}
