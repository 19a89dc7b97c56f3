import * as z from 'zod/mini'
import { optional } from '../../../contract/schema'
import { defineEndpoint } from '../../../contract/endpoint'
import { ProjectId } from '../../../contract/project-id'
import { type Route, route } from '../../http/route'
import { canAccessProject, type User } from '../../http/user'

const GraphqlError = z.object({ message: z.string(), extensions: z.optional(z.object({ code: z.string() })) })
type GraphqlError = z.infer<typeof GraphqlError>

/**
 * Not a GraphQL server: the three questions that the Weave SDK for Python asks its W&B server before it traces, told apart
 * by their first field. Answered with 200 and `errors` where it cannot be, because what else it is told it tries again.
 */
const answerGraphql = defineEndpoint({
  path: '/graphql',
  request: z.object({ query: z.string(), variables: optional(z.record(z.string(), z.unknown())) }),
  response: z.object({ data: z.nullable(z.record(z.string(), z.unknown())), errors: z.optional(z.array(GraphqlError)) }),
})

export function graphqlRoutes(): Route[] {
  return [
    route(answerGraphql, async ({ query, variables = {} }, { user }) => {
      const field = /\{\s*(\w+)/.exec(query)?.[1]
      if (field === 'viewer') return { data: { viewer: viewerOf(user) } }
      if (field === 'project') {
        const project = projectOf(user, variables['entityName'], variables['name'])
        return 'message' in project ? { data: null, errors: [project] } : { data: { project } }
      }
      // Projects need not be created: one is there as soon as something is sent to it.
      if (field === 'upsertModel') {
        const model = projectOf(user, variables['entity'], variables['name'])
        return 'message' in model ? { data: null, errors: [model] } : { data: { upsertModel: { model } } }
      }
      return { data: null, errors: [{ message: 'Only viewer, project and upsertModel can be asked for here.' }] }
    }),
  ]
}

/** The entity of the user's own projects; of a user who may use every project, the name. */
function viewerOf({ username, projects }: User) {
  const entity = projects === '*' ? username.replaceAll('/', '-') : projects[0]?.split('/')[0]
  return { username, defaultEntity: entity === undefined ? null : { name: entity } }
}

function projectOf(user: User, entity: unknown, name: unknown): { name: string; description: null } | GraphqlError {
  const parsed = ProjectId.safeParse(typeof entity === 'string' && typeof name === 'string' ? `${entity}/${name}` : undefined)
  if (!parsed.success || typeof name !== 'string') {
    return { message: "A project is named by an entity and a name, both non-empty and without '/'." }
  }
  if (canAccessProject(user, parsed.data)) return { name, description: null }
  return { message: `The user '${user.username}' has no access to this project.`, extensions: { code: 'PERMISSION_ERROR' } }
}
