"""Leads a company of yc-bench without a model: takes the tasks that pay best among those its people can finish in time.

Uses the package's own command line, in one process: a command of its own for each call would take hours.
"""
import json

from typer.testing import CliRunner
from yc_bench.cli import app

runner = CliRunner()


def call(*words):
    return json.loads(runner.invoke(app, list(words)).stdout or '{}')


def rate(people, domain):
    return sum(person['skills'].get(domain, 0) * person['work_hours_per_day'] for person in people)


def days(task, people):
    return max(need['required_qty'] / max(rate(people, need['domain']), 0.01) for need in task['requirements'])


def choose(people, prestige):
    found = call('market', 'browse', '--required-prestige-lte', str(int(prestige)), '--limit', '100').get('tasks', [])
    fits = []
    for task in found:
        needed = days(task, people)
        allowed = max(1, sum(need['required_qty'] for need in task['requirements']) / 200)
        if needed < 0.8 * max(allowed, 7):
            fits.append((task['reward_funds_cents'] / max(needed, 1), task))
    return max(fits, key=lambda pair: pair[0])[1] if fits else None


for _ in range(400):
    status = call('company', 'status')
    people = call('employee', 'list')['employees']
    if status['tasks']['active'] == 0:
        task = choose(people, max(status['prestige'].values()))
        if task is not None:
            call('task', 'accept', '--task-id', task['task_id'])
            for person in people:
                call('task', 'assign', '--task-id', task['task_id'], '--employee-id', person['employee_id'])
            call('task', 'dispatch', '--task-id', task['task_id'])
    over = call('sim', 'resume')
    if over.get('bankrupt') or over.get('horizon_reached'):
        break
print(json.dumps(call('company', 'status')))
