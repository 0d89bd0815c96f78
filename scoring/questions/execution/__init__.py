"""All answers scored, automatic and under the verdicts in force."""
